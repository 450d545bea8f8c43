/**
 * The output of {@code cairn config}: the settings of a site with their values, defaults, sources
 * and meanings, as text and as JSON.
 */
package dev.cairn.tools.settings;
