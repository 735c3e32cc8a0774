# Knows its own stacks: at every place it writes what caller() says, then calls
# getppid().  Not a test by itself: perl.sh.
use strict;
use warnings;
no warnings "void";
use List::Util qw(first reduce);
use File::Basename qw(basename);

open(my $expected, '>', $ARGV[0]) or die;

# The frames of the caller, innermost first, as dtrace shows them.
sub here {
	my $text = "";
	for (my $i = 0; my @at = caller($i); $i++) {
		my @outer = caller($i + 1);
		my $name = @outer ? $outer[3] : "main::";
		$text .= "$name(" . basename($at[1]) . ":$at[2])\n";
	}
	syswrite($expected, "$text--\n");
	return 1;
}

package Shop::Counter;
use overload '+' => sub { main::here(), getppid(); 1 }, '""' => \&text;
sub new { my $class = shift; return bless { @_ }, $class }
sub method { my $self = shift; main::here(), getppid(); return $self }
sub text { eval { main::here(), getppid(); die "no" }; main::here(), getppid(); return "" }
sub DESTROY { main::here(), getppid() }
sub AUTOLOAD { main::here(), getppid() }

package Tied;
sub TIEHASH { return bless {}, shift }
sub FETCH { main::here(), getppid(); return main::recurse(1) }
package main;

sub recurse {
	my $depth = shift;
	return recurse($depth - 1) if $depth;
	return here(), getppid();
}

sub by_value { here(), getppid(); return $a <=> $b }
sub catches {
	eval { recurse(1); die "no\n" };
	for my $x (1 .. 2) { here(), getppid() }
	return $a <=> $b;
}
sub ends_with { recurse(1); return $a <=> $b }
sub calls_back { return first { recurse(2); 1 } 1 }

sub places {
	my $counter = Shop::Counter->new(a => 1);
	$counter->method->method;
	my $sum = $counter + 1;
	my $text = "$counter";
	$counter->absent;
	undef $counter;
	tie(my %hash, 'Tied');
	my $value = $hash{x};
	my @list = sort by_value 2, 1;
	@list = sort catches 2, 1;
	@list = sort { here(), getppid(); $a <=> $b } 2, 1;
	@list = sort { recurse(1); $a <=> $b } 2, 1;
	@list = sort { calls_back(); $a <=> $b } 2, 1;
	@list = map { here(), getppid(); $_ } 1, 2;
	reduce { here(), getppid(); $a + $b } 1, 2, 3;
	@list = sort { ends_with() } 2, 1;
	@list = sort { eval { recurse(1); 1 }; ends_with() } 2, 1;
	calls_back();
	my $closure = sub { here(), getppid() };
	$closure->();
	eval { recurse(1); die 1 };
	eval "here(), getppid();\n\nrecurse(1)";
	(my $replaced = "xax") =~ s/a/recurse(0); "b"/e;
	"a" =~ /a(?{ recurse(0) })/;
	local $SIG{USR1} = sub { here(), getppid() };
	kill USR1 => $$;
	local $SIG{__WARN__} = sub { here(), getppid() };
	warn "x";
	recurse(40);
}

if (@ARGV > 1) {
	# traced when it has run for a while
	local $SIG{HUP} = sub { };
	syswrite(STDOUT, "ready\n");
	select(undef, undef, undef, 10);
}
places();
here(), getppid();
if (my $child = fork()) {
	waitpid($child, 0);
} else {
	places();
}
select(undef, undef, undef, 0.5);	# names are read from the process
