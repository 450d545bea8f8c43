package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Identifies the measured sources. */
final class Commit {
  private Commit() {}

  /** Returns the commit that is checked out in a folder, as git describes it; empty if none is. */
  static String of(Path folder) {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer =
          new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      return git.waitFor() == 0 ? answer : "";
    } catch (IOException e) {
      return ""; // no git here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
