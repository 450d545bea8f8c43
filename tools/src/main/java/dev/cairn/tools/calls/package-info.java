/** Runs in the build only: writes lib/cairn.calls, commands for the compilers of a server's JVM. */
package dev.cairn.tools.calls;
