/* probe names as keys */
BEGIN { @[probeprov, probename] = count(); exit(0); }
