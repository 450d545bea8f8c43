/**
 * {@code cairn bench bulk}: whole tables beside Apache HBase, with Apache's jobs and with Cairn's
 * own commands.
 */
package dev.cairn.bench.bulk;
