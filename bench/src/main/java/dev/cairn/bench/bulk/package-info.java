/**
 * {@code cairn bench bulk}: measures operations on whole tables, on Cairn and on Apache HBase, with
 * Apache's jobs and with Cairn's own commands.
 */
package dev.cairn.bench.bulk;
