/* constants where Linux has no such thing; tables where it has */
BEGIN
{
	printf("%s %s %d %d %d %d\n", zonename, jailname, jid, pset, ipl, curcpu->cpu_pset);
	printf("%d %d %d %d\n", curcpu->cpu_id == cpu, curcpu->cpu_chip == chip, curcpu->cpu_lgrp == lgrp, chip >= 0);
	printf("%d %d %d\n", nspid > 0, nstid == nspid, cgroupid > 0);
	this->name = cgroupname;
	printf("%d %d\n", strlen(this->name) >= 0, getmajor(0x800011) * 100 + getminor(0x800011));
	exit(0);
}
