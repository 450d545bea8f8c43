package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import java.nio.file.Path;

/**
 * Reports the state of the standalone server of a data folder, one method for each state.
 *
 * @param folder the data folder
 */
public record ServerCheck(Path folder) {
  /** Adds the finding on a server that answers clients. */
  public void serving(long pid, Diagnosis diagnosis) {
    diagnosis.ok(Area.SERVER, "The server runs (process " + pid + ") on " + folder + ".");
  }

  /** Adds the finding on a process that does not answer clients yet, or any more. */
  public void starting(long pid, Diagnosis diagnosis) {
    diagnosis.advise(
        Area.SERVER,
        "The server is starting or stopping (process " + pid + ").",
        folder.toString(),
        "Run the doctor again when bin/cairn status says that it serves.");
  }

  /** Adds the finding on a server that crashed. */
  public void died(long pid, Diagnosis diagnosis) {
    diagnosis.problem(
        Area.SERVER,
        "The server ended without a clean stop (process " + pid + ").",
        folder.toString(),
        "Look for the reason in the log, and start it: the start recovers all data.");
  }

  /** Adds the finding on a folder without a server. */
  public void stopped(Diagnosis diagnosis) {
    diagnosis.ok(Area.SERVER, "No server runs on " + folder + ": bin/cairn start.");
  }

  /** Adds the finding on a start that failed. */
  public void startFailed(String reason, Path log, Diagnosis diagnosis) {
    diagnosis.problem(
        Area.SERVER,
        "The last start failed: " + reason,
        log.toString(),
        "Correct the reason and start the server.");
  }
}
