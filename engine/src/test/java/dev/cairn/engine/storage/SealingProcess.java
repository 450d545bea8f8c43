package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that is sealing a file: it has read the file's length, and not written it yet. */
public final class SealingProcess implements AutoCloseable {
  private static final String MEASURED = "measured";

  private final Process process;
  private final BufferedReader output;

  private SealingProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /** Begins to seal {@code file}; returns once its length is read. */
  public static SealingProcess begin(Path file) throws IOException {
    SealingProcess begun =
        new SealingProcess(
            new ProcessBuilder(
                    List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SealingProcess.class.getName(),
                        file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    assertThat(begun.output.readLine()).isEqualTo(MEASURED);
    return begun;
  }

  /** Lets the process end the seal. */
  public void end() throws Exception {
    process.outputWriter().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Kills the process if it has not ended. */
  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
  }

  /** The second process. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    new LocalSeal(file) {
      @Override
      long syncedLength() throws IOException {
        long length = super.syncedLength();
        System.out.println(MEASURED);
        System.in.read(); // returns at the end of the input
        return length;
      }
    }.seal(file.toString(), FilePermissions.inside(file.getParent()));
  }
}
