package dev.cairn.launcher.demo;

import picocli.CommandLine.Command;

/** {@code cairn demo}. */
@Command(name = "demo", description = "Loads the local Maven repository and queries it.")
public final class DemoCommand implements Runnable {
  @Override
  public void run() {}
}
