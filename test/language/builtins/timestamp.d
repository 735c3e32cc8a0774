/* timestamp is one value per clause and never goes back */
BEGIN { t = timestamp; printf("%d ", timestamp == t); }
BEGIN { printf("%d %d\n", timestamp >= t, timestamp > 0); exit(0); }
