/**
 * Tests of what users install and embed: a built installation that was moved, and projects of their
 * own that have {@code cairn-testing} among their dependencies.
 */
package dev.cairn.interop.install;
