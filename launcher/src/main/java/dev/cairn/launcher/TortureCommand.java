package dev.cairn.launcher;

import dev.cairn.engine.time.Clock;
import dev.cairn.torture.Torture;
import dev.cairn.torture.TortureReport;
import dev.cairn.torture.WorldFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn torture}: looks for lost writes and wrong answers. */
@Command(
    name = "torture",
    description = {
      "Looks for lost writes and wrong answers.",
      "Runs the storage engine on simulated machines that are killed, lose power and have failing"
          + " disks, and compares every answer with a model of what it should be. Touches no data."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:nothing was found",
      "1:a write was lost, or an answer was wrong",
      "2:it could not run"
    })
final class TortureCommand implements Callable<Integer> {
  private static final int SOUND = 0;
  private static final int FOUND = 1;
  private static final int NOT_RUN = 2;
  private static final long LINE_MILLIS = 10_000;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How long (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Runs the one world that begins from this number, instead of many.")
  private Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many worlds at once (default: the number of processors).")
  private Integer threads;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "1500",
      description = "Operations in each world (default: ${DEFAULT-VALUE}).")
  private int steps;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where what led to a failure is written (default: here).")
  private Path output;

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    cairn.logErrorsOnly();
    require(minutes > 0, "--minutes must be more than 0, not " + minutes);
    require(steps >= 1, "--steps must be at least 1, not " + steps);
    require(threads == null || threads >= 1, "--threads must be at least 1, not " + threads);
    try {
      Files.createDirectories(output);
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("cairn: cannot write to " + output + ": " + Failures.reason(e));
      return NOT_RUN;
    }
    Torture.Plan plan =
        seed != null
            ? new Torture.Plan(seed, Long.MAX_VALUE, 1, steps, 1)
            : new Torture.Plan(
                System.currentTimeMillis() * 1_000_000,
                (long) (minutes * TimeUnit.MINUTES.toNanos(1)),
                Long.MAX_VALUE,
                steps,
                threads != null ? threads : Runtime.getRuntime().availableProcessors());
    PrintWriter out = spec.commandLine().getOut();
    Torture torture = new Torture(plan, Clock.SYSTEM, failure -> write(failure, out));
    List<Thread> running = torture.start(Thread::new);
    for (Thread thread : running) {
      while (thread.isAlive()) {
        thread.join(LINE_MILLIS);
        out.println(torture.report().line());
        out.flush();
      }
    }
    TortureReport report = torture.report();
    out.print(report.text());
    for (long failed : report.failedSeeds()) {
      out.println("again: bin/cairn torture --seed " + failed + " --steps " + steps);
    }
    out.flush();
    return report.failedSeeds().isEmpty() ? SOUND : FOUND;
  }

  private void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private void write(WorldFailure failure, PrintWriter out) {
    Path file = output.resolve("torture-" + failure.seed() + ".txt");
    try (PrintWriter text = new PrintWriter(Files.newBufferedWriter(file))) {
      text.println(failure.getMessage());
      failure.printStackTrace(text);
      text.println("All steps:");
      failure.trace().forEach(text::println);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println(failure.getMessage());
    out.println("All steps are in " + file);
    out.flush();
  }
}
