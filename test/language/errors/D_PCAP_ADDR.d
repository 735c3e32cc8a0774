/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { pcap("x", 1); }
