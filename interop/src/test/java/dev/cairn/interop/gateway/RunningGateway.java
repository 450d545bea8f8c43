package dev.cairn.interop.gateway;

import dev.cairn.interop.process.ClassArchive;
import dev.cairn.interop.process.ServerClassPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * A gateway in a process of its own, in the foreground, as {@code bin/cairn rest} runs it, on a
 * free port of this machine.
 */
final class RunningGateway implements AutoCloseable {
  private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern ADDRESS =
      Pattern.compile("\\s*address\\s+(?:http://)?127\\.0\\.0\\.1:(\\d+)/?");

  private final Process process;
  private final int port;

  private RunningGateway(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a gateway and waits until it answers.
   *
   * @param folder for its settings and its log
   * @param client names the server
   * @param words {@code rest}, {@code thrift} or {@code thrift2}, and arguments
   */
  static RunningGateway start(Path folder, Configuration client, String... words)
      throws IOException {
    Path site = Files.createDirectories(folder.resolve(words[0]));
    writeSite(site, client);
    Path log = site.resolve("log");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-Dcairn.home=" + CHECKOUT,
                "-cp",
                ServerClassPath.get(),
                "dev.cairn.launcher.Cairn",
                "--config",
                site.toString()));
    command.addAll(command.indexOf("-cp"), ClassArchive.CAIRN.options());
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .directory(site.toFile());
    Process process = builder.start();
    List<String> output = new ArrayList<>();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.add(line);
      Matcher address = ADDRESS.matcher(line);
      if (address.matches()) {
        Thread reader = new Thread(() -> lines.lines().forEach(text -> {}), "gateway-output");
        reader.setDaemon(true); // Reads the rest, so that the pipe does not fill up.
        reader.start();
        return new RunningGateway(process, Integer.parseInt(address.group(1)));
      }
    }
    throw new IOException(output + "\n" + Files.readString(log));
  }

  /** Writes the {@code hbase-site.xml} of a gateway on a free port, without a web page. */
  static void writeSite(Path folder, Configuration client) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    for (String key : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      settings.put(key, client.get(key));
    }
    settings.put("hbase.rest.port", "0");
    settings.put("hbase.regionserver.thrift.port", "0");
    settings.put("hbase.rest.info.port", "-1");
    settings.put("hbase.thrift.info.port", "-1");
    String properties =
        settings.entrySet().stream()
            .map(
                entry ->
                    "<property><name>%s</name><value>%s</value></property>"
                        .formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining());
    Files.writeString(
        folder.resolve("hbase-site.xml"), "<configuration>" + properties + "</configuration>");
  }

  /** Returns the port on the loopback address. */
  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
