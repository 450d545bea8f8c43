/**
 * The commands on whole tables: export, import, copy, count and compare. The work is done in {@link
 * dev.cairn.tools.bulk}.
 */
package dev.cairn.launcher.table;
