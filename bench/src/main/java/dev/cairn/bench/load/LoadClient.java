package dev.cairn.bench.load;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gives orders to a {@link LoadProcess}, which it starts, and waits for each answer. One thread.
 */
public final class LoadClient implements Closeable {
  private static final long END_SECONDS_MAX = 10;

  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;
  private final Path log;

  private LoadClient(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts the process.
   *
   * @param plan what all workloads have in common
   * @param heap its largest heap, as Java's {@code -Xmx} says it
   * @param log the file of its errors
   */
  public static LoadClient start(LoadPlan plan, String heap, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xms" + heap,
            "-Xmx" + heap,
            "-XX:+UseG1GC",
            "-Djava.net.preferIPv4Stack=true",
            "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    String logging = System.getProperty("logback.configurationFile");
    if (logging != null) {
      command.add("-Dlogback.configurationFile=" + logging);
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            LoadProcess.class.getName(),
            LoadProcess.JSON.writeValueAsString(plan)));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new LoadClient(process, log);
  }

  /** Lets it connect to a server that may still be starting, until that has answered. */
  public void connect(Path site, boolean keepsData) throws IOException {
    order(new LoadOrder.Connect(site.toString(), keepsData));
  }

  /** {@link LoadDriver#prepare}. */
  public void prepare(Workload workload) throws IOException {
    order(new LoadOrder.Prepare(workload));
  }

  /** {@link LoadDriver#warmUp}. */
  public void warmUp(Workload workload, double seconds) throws IOException {
    order(new LoadOrder.WarmUp(workload, seconds));
  }

  /** {@link LoadDriver#run}. */
  public LoadResult run(Workload workload, Pace pace) throws IOException {
    return order(new LoadOrder.Run(workload, pace)).result();
  }

  /** {@link LoadDriver#settle}. */
  public void settle(Workload workload) throws IOException {
    order(new LoadOrder.Settle(workload));
  }

  private LoadAnswer order(LoadOrder order) throws IOException {
    orders.println(LoadProcess.JSON.writerFor(LoadOrder.class).writeValueAsString(order));
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("The load process has ended; " + log + " may say why");
    }
    LoadAnswer answer = LoadProcess.JSON.readValue(line, LoadAnswer.class);
    if (answer.whatFailed().isPresent()) {
      throw new IOException(
          "The load process cannot do " + order + ": " + answer.failure() + "; see " + log);
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    orders.close();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
