package dev.cairn.launcher.process;

/** The state of the server of one data folder, as seen from outside. */
public sealed interface ServerState {
  /** It starts, or recovers, or is on its way to stop. */
  record Starting(ProcessIdentity process) implements ServerState {}

  /** It answers clients. */
  record Serving(ServerStatus status) implements ServerState {}

  /** The last one ended without a clean stop: it was killed, or crashed. */
  record Died(ProcessIdentity process) implements ServerState {}

  /** There is none. */
  record Stopped() implements ServerState {}
}
