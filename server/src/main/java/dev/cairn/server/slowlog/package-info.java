/**
 * The record of slow and large calls: {@link dev.cairn.server.slowlog.SlowLog} receives each call
 * whose time or response exceeds a limit, logs HBase's warning, and keeps the latest such calls for
 * {@code get_slowlog_responses} and {@code get_largelog_responses}.
 */
package dev.cairn.server.slowlog;
