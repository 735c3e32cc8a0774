# Is busy until standard input ends: see script_profile.sh.
use strict;
use warnings;
use List::Util qw(reduce first);
use Data::Dumper;

package Counter;
sub new { my ($class, $n) = @_; return bless { n => $n }, $class }
sub add { my ($self, $n) = @_; $self->{n} += $n; return $self }
sub DESTROY { my $self = shift; $self->{n} = 0 }
package main;

sub fibonacci { my $n = shift; return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2) }
sub by_name { return $a->{name} cmp $b->{name} }
sub words {
	my %count;
	my $text = "the quick brown fox jumps over the lazy dog " x 20;
	$count{lc $1}++ while $text =~ /(\w+)/g;
	(my $copy = $text) =~ s/(\w+)/ucfirst($1)/ge;
	return scalar keys %count;
}
sub counts { my $counter = Counter->new(1); $counter->add($_) for 1 .. 100; return $counter }
sub fails { eval { die { code => 1 } }; return $@->{code} }
sub work {
	fibonacci(12);
	my @sorted = sort by_name map { { name => $_ % 17 } } 1 .. 200;
	words();
	counts();
	fails() for 1 .. 10;
	Dumper(\@sorted);
	reduce { $a + fibonacci(3) } 1 .. 50;
	eval "fibonacci(5)";
}

syswrite(STDOUT, "ready\n");
my $ready = '';
while (1) {
	work();
	vec($ready, 0, 1) = 1;
	last if select($ready, undef, undef, 0);
}
