/**
 * The installation, its settings and its log: {@link dev.cairn.launcher.site.CommandContext}, which
 * every command gets as its parent.
 */
package dev.cairn.launcher.site;
