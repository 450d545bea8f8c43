package dev.cairn.launcher;

import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A program that holds a data folder until it is asked to stop, and whose process stays after. */
public final class LingeringServer {
  private LingeringServer() {}

  public static void main(String[] args) throws Exception {
    DataFolder.Claim claim = new DataFolder(Path.of(args[0])).claim();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    claim.close();
                    Thread.currentThread().join(); // for ever
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
    claim.publish(
        new ServerStatus(
            ProcessIdentity.of(ProcessHandle.current()),
            0,
            new Addresses(
                "localhost:1",
                "localhost:2",
                "localhost:3",
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            Optional.empty()));
    Thread.currentThread().join();
  }
}
