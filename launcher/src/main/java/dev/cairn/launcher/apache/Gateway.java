package dev.cairn.launcher.apache;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A gateway of Apache HBase: a server for clients of another protocol, and a client of Cairn. */
public enum Gateway {
  /** HTTP with JSON, XML and protobuf. */
  REST(
      "org.apache.hadoop.hbase.rest.RESTServer",
      ConfigKey.port("hbase.rest.port", 8080, "The port of the REST gateway."),
      "hbase.rest.host",
      webPort("hbase.rest.info.port", 8085),
      "hbase.rest.info.bindAddress"),
  /** Thrift, with the older API. */
  THRIFT(
      "org.apache.hadoop.hbase.thrift.ThriftServer",
      thriftPort(),
      "hbase.regionserver.thrift.ipaddress",
      webPort("hbase.thrift.info.port", 9095),
      "hbase.thrift.info.bindAddress"),
  /** Thrift, with the API of HBase's Java client. */
  THRIFT2(
      "org.apache.hadoop.hbase.thrift2.ThriftServer",
      thriftPort(),
      "hbase.regionserver.thrift.ipaddress",
      webPort("hbase.thrift.info.port", 9095),
      "hbase.thrift.info.bindAddress");

  private static final List<String> PORT_OPTIONS = List.of("-p", "--port", "-port");
  private static final List<String> WEB_PORT_OPTIONS = List.of("--infoport", "-infoport");
  private static final List<String> HOST_OPTIONS = List.of("-b", "--bind", "-bind");

  private final String program;
  private final ConfigKey<Integer> port;
  private final String hostKey;
  private final ConfigKey<Integer> webPort;
  private final String webHostKey;

  Gateway(
      String program,
      ConfigKey<Integer> port,
      String hostKey,
      ConfigKey<Integer> webPort,
      String webHostKey) {
    this.program = program;
    this.port = port;
    this.hostKey = hostKey;
    this.webPort = webPort;
    this.webHostKey = webHostKey;
  }

  private static ConfigKey<Integer> thriftPort() {
    return ConfigKey.port("hbase.regionserver.thrift.port", 9090, "The port of a Thrift gateway.");
  }

  private static ConfigKey<Integer> webPort(String name, int port) {
    return ConfigKey.optionalPort(name, port, "The port of the gateway's web page.");
  }

  /** Returns the name of the class whose {@code main} method runs the gateway. */
  public String program() {
    return program;
  }

  /**
   * A gateway that is about to start.
   *
   * @param settings the content of its {@code hbase-site.xml}
   * @param arguments the arguments of its {@code main} method
   * @param address the address on which it will listen; the port is not 0
   */
  public record Plan(
      Map<String, String> settings, List<String> arguments, InetSocketAddress address) {}

  /**
   * Plans a start. A port or bind address among the arguments becomes a setting; port 0 becomes a
   * free port. A gateway has no access control, so it listens where Cairn does unless its own key
   * says otherwise; HBase's default is all addresses.
   *
   * @param site the settings, with those that name the server
   * @param bindAddress the address on which Cairn listens
   * @param arguments as Apache's commands take them, without {@code start}
   * @throws ConfigException if the port is invalid or in use
   */
  public Plan plan(Map<String, String> site, String bindAddress, List<String> arguments)
      throws IOException {
    Map<String, String> settings = new TreeMap<>(site);
    List<String> others = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      Optional<String> key = key(word);
      if (key.isEmpty()) {
        others.add(word);
        continue;
      }
      if (++i == arguments.size()) {
        throw new ConfigException("Missing value after " + word);
      }
      settings.put(key.get(), arguments.get(i));
    }
    others.add("start");
    settings.putIfAbsent(hostKey, bindAddress);
    settings.putIfAbsent(webHostKey, bindAddress);
    InetAddress host = InetAddress.getByName(settings.get(hostKey));
    int free = freePort(host, value(port, settings), port, hostKey);
    settings.put(port.name(), Integer.toString(free));
    int web = value(webPort, settings);
    if (web > 0) { // Apache's program would end only after its first port answers.
      freePort(InetAddress.getByName(settings.get(webHostKey)), web, webPort, webHostKey);
    }
    InetAddress reached = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
    return new Plan(settings, others, new InetSocketAddress(reached, free));
  }

  /** Returns the setting that an option of Apache's command sets, if it is one of these. */
  private Optional<String> key(String word) {
    if (PORT_OPTIONS.contains(word)) {
      return Optional.of(port.name());
    }
    if (this == REST) {
      return Optional.empty();
    }
    if (WEB_PORT_OPTIONS.contains(word)) {
      return Optional.of(webPort.name());
    }
    return HOST_OPTIONS.contains(word) ? Optional.of(hostKey) : Optional.empty();
  }

  private static int value(ConfigKey<Integer> key, Map<String, String> settings) {
    return Optional.ofNullable(settings.get(key.name()))
        .map(String::strip)
        .map(key::value)
        .orElseGet(() -> key.value(key.defaultText()));
  }

  private static int freePort(
      InetAddress host, int wanted, ConfigKey<Integer> portKey, String addressKey) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, wanted));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new ConfigException(
          "cannot listen on "
              + host.getHostAddress()
              + ":"
              + wanted
              + " ("
              + e.getMessage()
              + "); "
              + portKey.name()
              + " sets another port, "
              + addressKey
              + " another address");
    }
  }
}
