/* profile-N fires on every CPU */
/* @needs: two-cpus */
profile-997 { @[cpu] = count(); }
tick-500ms { exit(0); }
END { clear(@); }
