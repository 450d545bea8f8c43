package dev.cairn.torture.simulation;

/** How a process ends that is not asked to. */
public enum Crash {
  /** It is killed: what it handed to the operating system stays. */
  KILL,
  /** The machine loses power: what was not synced is lost, or any part of it. */
  POWER_CUT
}
