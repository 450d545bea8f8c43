/**
 * A typed view over {@code hbase-site.xml}. A {@link dev.cairn.server.config.ConfigKey} defines
 * each key once; {@link dev.cairn.server.config.SiteConfig} holds the values of one server. Neither
 * enters the engine.
 */
package dev.cairn.server.config;
