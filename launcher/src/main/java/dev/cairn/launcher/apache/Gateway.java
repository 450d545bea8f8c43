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
      "hbase.rest.info.bindAddress"),
  /** Thrift, with the older API. */
  THRIFT(
      "org.apache.hadoop.hbase.thrift.ThriftServer",
      thriftPort(),
      "hbase.regionserver.thrift.ipaddress",
      "hbase.thrift.info.bindAddress"),
  /** Thrift, with the API of HBase's Java client. */
  THRIFT2(
      "org.apache.hadoop.hbase.thrift2.ThriftServer",
      thriftPort(),
      "hbase.regionserver.thrift.ipaddress",
      "hbase.thrift.info.bindAddress");

  private static final List<String> PORT_OPTIONS = List.of("-p", "--port", "-port");
  private static final List<String> HOST_OPTIONS = List.of("-b", "--bind", "-bind");

  private final String program;
  private final ConfigKey<Integer> port;
  private final String hostKey;
  private final String webHostKey;

  Gateway(String program, ConfigKey<Integer> port, String hostKey, String webHostKey) {
    this.program = program;
    this.port = port;
    this.hostKey = hostKey;
    this.webHostKey = webHostKey;
  }

  private static ConfigKey<Integer> thriftPort() {
    return ConfigKey.port("hbase.regionserver.thrift.port", 9090, "The port of a Thrift gateway.");
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
      boolean isPort = PORT_OPTIONS.contains(word);
      if (isPort || this != REST && HOST_OPTIONS.contains(word)) {
        if (++i == arguments.size()) {
          throw new ConfigException("Missing value after " + word);
        }
        settings.put(isPort ? port.name() : hostKey, arguments.get(i));
      } else {
        others.add(word);
      }
    }
    others.add("start");
    settings.putIfAbsent(hostKey, bindAddress);
    settings.putIfAbsent(webHostKey, bindAddress);
    InetAddress host = InetAddress.getByName(settings.get(hostKey));
    int wanted =
        Optional.ofNullable(settings.get(port.name()))
            .map(String::strip)
            .map(port::value)
            .orElseGet(() -> port.value(port.defaultText()));
    int free = freePort(host, wanted);
    settings.put(port.name(), Integer.toString(free));
    InetAddress reached = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
    return new Plan(settings, others, new InetSocketAddress(reached, free));
  }

  private int freePort(InetAddress host, int wanted) {
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
              + port.name()
              + " sets another port, "
              + hostKey
              + " another address");
    }
  }
}
