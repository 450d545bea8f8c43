package dev.cairn.torture.simulation;

import java.io.IOException;

/** The process is gone, or its machine: nothing that it still tries has any effect. */
final class MachineGoneException extends IOException {
  MachineGoneException() {
    super("The simulated process has ended");
  }
}
