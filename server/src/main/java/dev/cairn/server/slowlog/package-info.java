/**
 * The record of slow and large calls: {@link dev.cairn.server.slowlog.SlowLog} gets the facts of a
 * call whose time or response exceeds a limit, writes HBase's warning to the log, and keeps the
 * latest such calls for {@code get_slowlog_responses} and {@code get_largelog_responses}.
 */
package dev.cairn.server.slowlog;
