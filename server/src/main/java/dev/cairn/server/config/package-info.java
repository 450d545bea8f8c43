/**
 * A typed view over {@code hbase-site.xml}. A {@link dev.cairn.server.config.ConfigKey} defines
 * each key once; {@link dev.cairn.server.config.SiteConfigLoader} reads the file, and {@link
 * dev.cairn.server.config.SiteConfig} holds the values of one server. {@link
 * dev.cairn.server.config.SiteReview} checks all other keys against {@link
 * dev.cairn.server.config.SecurityRules} and a {@link dev.cairn.server.config.SettingTable}. {@link
 * dev.cairn.server.config.AdvertisedHost} finds the host to advertise to clients. None of them
 * enters the engine.
 */
package dev.cairn.server.config;
