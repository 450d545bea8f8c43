/**
 * Tests of the real process, as users run it: killed with SIGKILL while HBase's client writes,
 * stopped under load, given logs that lost their end, and settings it cannot start with. A {@link
 * dev.cairn.interop.process.ServerProcess} is the process; a {@link
 * dev.cairn.interop.process.Workload} writes and knows what the server has to remember.
 */
package dev.cairn.interop.process;
