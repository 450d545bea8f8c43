/**
 * Runs unmodified programs of Apache HBase. {@link dev.cairn.launcher.apache.SettingsClassLoader}
 * supplies their {@code hbase-site.xml}; {@link dev.cairn.launcher.apache.Gateway} describes the
 * gateways for clients of other protocols.
 */
package dev.cairn.launcher.apache;
