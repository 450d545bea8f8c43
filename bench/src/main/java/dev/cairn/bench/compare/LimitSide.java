package dev.cairn.bench.compare;

import dev.cairn.bench.limit.LimitCommand;
import dev.cairn.bench.load.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A server that answers every call at once with a canned response of the right size: what the wire
 * and the client cost, and so the limit of every server.
 */
final class LimitSide implements Side {
  private final int records;
  private final int fields;
  private final int fieldBytes;

  /** Creates the side, with responses of the size of YCSB's rows. */
  LimitSide(int records, int fields, int fieldBytes) {
    this.records = records;
    this.fields = fields;
    this.fieldBytes = fieldBytes;
  }

  @Override
  public String name() {
    return "canned";
  }

  @Override
  public boolean keepsData() {
    return false;
  }

  @Override
  public boolean does(Workload workload) {
    return workload.kind() != Workload.Kind.GET; // its rows are not YCSB's
  }

  @Override
  public ServerProcess start(Path folder, ServerSettings settings) throws IOException {
    int port = Site.freePorts(1).get(0);
    Path site =
        new Site()
            .set(
                "hbase.client.registry.impl",
                "org.apache.hadoop.hbase.client.RpcConnectionRegistry")
            .set("hbase.client.bootstrap.servers", "127.0.0.1:" + port)
            .write(folder.resolve("conf"));
    Path log = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xms" + settings.heap(),
                    "-Xmx" + settings.heap(),
                    "-XX:+UseG1GC",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-Dio.netty.tryReflectionSetAccessible=true",
                    "-Dio.netty.leakDetection.level=disabled", // as bin/cairn has it
                    // Without it, logging says everything that Netty does.
                    "-Dlogback.configurationFile="
                        + System.getProperty("logback.configurationFile", ""),
                    "-cp",
                    System.getProperty("java.class.path"),
                    LimitCommand.class.getName(),
                    "--port=" + port,
                    "--rows=" + records,
                    "--fields=" + fields,
                    "--value=" + fieldBytes))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new ServerProcess(process, site, Optional.empty(), log);
  }
}
