/**
 * Programs of Apache HBase that run unmodified: what they find as {@code hbase-site.xml} ({@link
 * dev.cairn.launcher.apache.SettingsClassLoader}), and the gateways for clients of other protocols
 * ({@link dev.cairn.launcher.apache.Gateway}).
 */
package dev.cairn.launcher.apache;
