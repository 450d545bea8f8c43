package dev.cairn.bench.compare;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An {@code hbase-site.xml} for a server on this machine, and its clients. */
final class Site {
  private final Map<String, String> properties = new LinkedHashMap<>();

  /** Sets a key. */
  Site set(String key, Object value) {
    properties.put(key, value.toString());
    return this;
  }

  /** Sets all keys. */
  Site set(Map<String, String> keys) {
    properties.putAll(keys);
    return this;
  }

  /** Writes it into a folder, which is made, and returns its path. */
  Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    return Files.writeString(folder.resolve("hbase-site.xml"), text());
  }

  private String text() {
    return properties.entrySet().stream()
        .map(
            property ->
                "  <property><name>%s</name><value>%s</value></property>%n"
                    .formatted(escaped(property.getKey()), escaped(property.getValue())))
        .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns ports that are free now. */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
