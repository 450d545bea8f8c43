/**
 * The command line. {@link dev.cairn.launcher.CairnCommand} dispatches to one class per
 * sub-command; settings come in from {@code hbase-site.xml}, the environment and options, and are
 * handed on as {@link dev.cairn.server.config.SiteConfig}. A running server is known by the lock it
 * holds on its data folder ({@link dev.cairn.launcher.DataFolder}) and by the status that it writes
 * beside its data ({@link dev.cairn.launcher.ServerStatus}). Nothing here is part of the database.
 */
package dev.cairn.launcher;
