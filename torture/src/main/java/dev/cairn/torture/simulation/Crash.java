package dev.cairn.torture.simulation;

/** The ways in which a process ends without being asked to. */
public enum Crash {
  /** It is killed: what it handed to the operating system stays. */
  KILL,
  /** The machine loses power: what was not synced is lost, or any part of it. */
  POWER_CUT
}
