/**
 * Runs the bundled jobs of Apache's library on Cairn and on HBase with the same tables and files,
 * and compares their counters and output.
 */
package dev.cairn.interop.jobs;
