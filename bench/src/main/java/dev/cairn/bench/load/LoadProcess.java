package dev.cairn.bench.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A load driver in a JVM of its own. Orders come on standard input, one a line, and each is
 * answered with a line on standard output; what else there is to say goes to standard error. It
 * ends with its input.
 */
public final class LoadProcess {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private final LoadPlan plan;
  private LoadDriver driver;

  private LoadProcess(LoadPlan plan) {
    this.plan = plan;
  }

  /** Takes the plan as JSON. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    System.setOut(System.err); // whoever prints does not mean an answer
    LoadProcess process = new LoadProcess(JSON.readValue(arguments[0], LoadPlan.class));
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      answers.println(JSON.writeValueAsString(process.answer(line)));
    }
    System.exit(0); // HBase's client leaves threads behind
  }

  private LoadAnswer answer(String line) {
    try {
      LoadOrder order = JSON.readValue(line, LoadOrder.class);
      if (order instanceof LoadOrder.Connect connect) {
        connect(connect);
      } else if (driver == null) {
        throw new IOException("Not connected");
      } else if (order instanceof LoadOrder.Prepare prepare) {
        driver.prepare(prepare.workload());
      } else if (order instanceof LoadOrder.WarmUp warmUp) {
        driver.warmUp(warmUp.workload(), warmUp.seconds());
      } else if (order instanceof LoadOrder.Settle settle) {
        driver.settle(settle.workload());
      } else if (order instanceof LoadOrder.Run run) {
        return LoadAnswer.of(driver.run(run.workload(), run.pace()));
      }
      return LoadAnswer.done();
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      return LoadAnswer.failed(e);
    }
  }

  private void connect(LoadOrder.Connect connect) throws IOException {
    Configuration configuration = FirstUse.configuration(Path.of(connect.site()));
    FirstUse.await(configuration, connect.keepsData());
    driver =
        new LoadDriver(
            ConnectionFactory.createConnection(configuration),
            plan,
            connect.keepsData(),
            Thread::new);
  }
}
