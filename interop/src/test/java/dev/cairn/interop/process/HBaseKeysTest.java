package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.replication.ReplicationFactory;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.junit.jupiter.api.Test;

/**
 * Every key in Apache's classes has a verdict. The test reads all constants of the artifacts, so it
 * finds keys that neither {@code hbase-default.xml} nor the reference guide mentions.
 */
class HBaseKeysTest {
  private static final List<Class<?>> ONE_OF_EACH_ARTIFACT =
      List.of(
          HConstants.class,
          ConnectionFactory.class,
          HRegion.class,
          HttpServer.class,
          ProcedureExecutor.class,
          ReplicationFactory.class,
          ZKWatcher.class);

  private static final Pattern KEY =
      Pattern.compile(
          "(hbase|zookeeper|replication|io\\.storefile)(\\.[a-zA-Z0-9_-]+)+|hfile(\\.[a-z]+)+");

  private static final int UTF8 = 1;
  private static final int STRING = 8;

  @Test
  void everyKeyInHBasesClassesHasAVerdict() throws Exception {
    Set<String> inForce =
        ProcessSettings.keys().stream()
            .flatMap(key -> Stream.concat(Stream.of(key.name()), key.oldNames().stream()))
            .collect(Collectors.toSet());
    SettingTable table = SettingTable.ofSite();
    Set<String> keys = new TreeSet<>();
    for (Class<?> one : ONE_OF_EACH_ARTIFACT) {
      keys.addAll(keys(one));
    }
    assertThat(keys).hasSizeGreaterThan(1000);
    assertThat(keys)
        .filteredOn(
            key ->
                !inForce.contains(key)
                    && SecurityRules.of(key).isEmpty()
                    && table.find(key).isEmpty())
        .isEmpty();
  }

  private static Set<String> keys(Class<?> one) throws IOException, URISyntaxException {
    Path jar = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> keys = new TreeSet<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          strings(new DataInputStream(in)).stream()
              .filter(text -> KEY.matcher(text).matches())
              .forEach(keys::add);
        }
      }
    }
    return keys;
  }

  /** Returns the strings in the constant pool of a class file (JVM specification, 4.4). */
  private static Set<String> strings(DataInputStream in) throws IOException {
    in.readInt(); // magic
    in.readInt(); // version
    int count = in.readUnsignedShort();
    Map<Integer, String> texts = new HashMap<>();
    Set<Integer> strings = new TreeSet<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case UTF8 -> texts.put(i, in.readUTF());
        case STRING -> strings.add(in.readUnsignedShort());
        case 7, 16, 19, 20 -> in.readUnsignedShort();
        case 15 -> in.skipNBytes(3);
        case 5, 6 -> {
          in.readLong();
          i++; // it takes two entries
        }
        default -> in.readInt();
      }
    }
    return strings.stream().map(texts::get).collect(Collectors.toSet());
  }
}
