/**
 * The server's own log: its latest lines in memory, the levels of its loggers, and the pages of
 * both. {@link dev.cairn.server.log.ServerLog} hides the logging library; only Logback is known.
 * {@link dev.cairn.server.log.ConciseAppender}, which {@code conf/logback.xml} names, rewrites
 * warnings and errors for operators. Below the process; depends on the pages.
 */
package dev.cairn.server.log;
