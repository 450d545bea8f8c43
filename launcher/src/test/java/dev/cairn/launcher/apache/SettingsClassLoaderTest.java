package dev.cairn.launcher.apache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsClassLoaderTest {
  @Test
  void hbasesConfigurationHasTheSettingsAndHadoopsFilesOfTheFirstFolder(
      @TempDir Path first, @TempDir Path second) throws Exception {
    site(first, "yarn-site.xml", "a", "first");
    site(second, "yarn-site.xml", "a", "second");
    site(second, "mapred-site.xml", "b", "second");
    site(second, "hbase-site.xml", "c", "second");
    try (SettingsClassLoader loader =
        new SettingsClassLoader(
            Map.of("c", "<&>"), List.of(first, second), System.getProperty("java.class.path"))) {
      Object configuration =
          loader.loadClass(HBaseConfiguration.class.getName()).getMethod("create").invoke(null);
      assertThat(configuration.getClass().getClassLoader()).isSameAs(loader);
      assertThat(get(configuration, "c")).isEqualTo("<&>");
      assertThat(Files.readString(Path.of(loader.getResource("yarn-site.xml").toURI())))
          .contains("first");
      assertThat(Files.readString(Path.of(loader.getResource("mapred-site.xml").toURI())))
          .contains("second");
    }
  }

  private static Object get(Object configuration, String key) throws ReflectiveOperationException {
    return configuration.getClass().getMethod("get", String.class).invoke(configuration, key);
  }

  private static void site(Path folder, String name, String key, String value) throws Exception {
    Files.writeString(
        folder.resolve(name),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(key, value));
  }
}
