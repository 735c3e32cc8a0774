/* The probe of bench/sites.c. */
provider sites { probe call(long, char *); };
