package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users' filters and comparators in jars that the server finds while it runs. */
class DynamicJarsTest {
  private static final ClassLoader OWN = DynamicJarsTest.class.getClassLoader();

  @TempDir private Path directory;
  private Path jars;
  private FilterParser parser;

  @BeforeEach
  void noJarsYet() {
    jars = directory.resolve("jars");
    parser =
        TestFilters.parser(
            new DynamicJars(OWN, new JarFolder.Local(jars), directory.resolve("copies")));
  }

  @Test
  void aJarIsTakenInWhenAFilterOfItIsAskedFor() throws Exception {
    assertThatThrownBy(() -> parser.filter(message("user.Odd")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("user.Odd")
        .hasMessageContaining("hbase.dynamic.jars.dir");
    filterJar("first.jar", "Odd");
    assertThat(parser.filter(message("user.Odd")).getClass().getName()).isEqualTo("user.Odd");
    filterJar("second.jar", "Even");
    assertThat(parser.filter(message("user.Even")).getClass().getName()).isEqualTo("user.Even");
  }

  @Test
  void whatIsInsideOfStockFiltersIsFoundAsWell() throws Exception {
    filterJar("filters.jar", "Odd");
    comparatorJar("comparators.jar", "Same");
    try (URLClassLoader client =
        new URLClassLoader(
            new URL[] {
              jars.resolve("filters.jar").toUri().toURL(),
              jars.resolve("comparators.jar").toUri().toURL()
            },
            OWN)) {
      Filter odd = (Filter) client.loadClass("user.Odd").getConstructor().newInstance();
      ByteArrayComparable same =
          (ByteArrayComparable) client.loadClass("user.Same").getConstructor().newInstance();
      Filter sent =
          new FilterList(new SkipFilter(odd), new ValueFilter(CompareOperator.EQUAL, same));
      FilterList made = (FilterList) parser.filter(ProtobufUtil.toFilter(sent));
      Filter inside = ((SkipFilter) made.getFilters().get(0)).getFilter();
      assertThat(inside.getClass().getName()).isEqualTo("user.Odd");
      assertThat(inside.getClass().getClassLoader()).isInstanceOf(DynamicJars.class);
      ValueFilter value = (ValueFilter) made.getFilters().get(1);
      assertThat(value.getComparator().getClass().getName()).isEqualTo("user.Same");
    }
  }

  @Test
  void theJarsLieInTheDataFolderIfNothingElseIsSaid() throws Exception {
    filterJar("filters.jar", "Odd");
    try (MemoryStorage storage = new MemoryStorage(Clock.SYSTEM)) {
      storage.createDirectories("lib");
      storage.writeAll("lib/filters.jar", Files.readAllBytes(jars.resolve("filters.jar")));
      Map<String, String> local = Map.of("hbase.local.dir", directory.resolve("local").toString());
      ClassLoader classes = FilterKeys.classes(new SiteConfig(local), OWN, storage);
      assertThat(TestFilters.parser(classes).filter(message("user.Odd"))).isNotNull();
      assertThat(directory.resolve("local/jars")).isNotEmptyDirectory();
    }
  }

  @Test
  void theyAreNotLookedAtIfTheyAreSwitchedOff() throws Exception {
    filterJar("filters.jar", "Odd");
    SiteConfig off =
        new SiteConfig(
            Map.of("hbase.use.dynamic.jars", "false", "hbase.dynamic.jars.dir", jars.toString()));
    try (MemoryStorage storage = new MemoryStorage(Clock.SYSTEM)) {
      assertThat(FilterKeys.classes(off, OWN, storage)).isSameAs(OWN);
      SiteConfig elsewhere = new SiteConfig(Map.of("hbase.dynamic.jars.dir", "hdfs://nn/lib"));
      assertThatThrownBy(() -> FilterKeys.classes(elsewhere, OWN, storage))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("hbase.dynamic.jars.dir")
          .hasMessageContaining("hdfs://nn/lib");
    }
  }

  @Test
  void brokenJarsAreNoFilters() throws IOException {
    Files.createDirectories(jars);
    Files.write(jars.resolve("broken.jar"), new byte[] {1, 2, 3});
    assertThatThrownBy(() -> parser.filter(message("user.Odd")))
        .isInstanceOf(DoNotRetryIOException.class);
  }

  @Test
  void aJarThatCannotBeReadDoesNotKeepTheOthersOut() throws Exception {
    filterJar("filters.jar", "Odd");
    try (MemoryStorage storage = new MemoryStorage(Clock.SYSTEM)) {
      storage.createDirectories("lib");
      storage.writeAll("lib/a.jar", new byte[] {1});
      storage.writeAll("lib/filters.jar", Files.readAllBytes(jars.resolve("filters.jar")));
      FaultyStorage faulty =
          new FaultyStorage(storage, (operation, path) -> path.equals("lib/a.jar"));
      DynamicJars classes =
          new DynamicJars(
              OWN, new JarFolder.Stored(faulty, "lib"), directory.resolve("more-copies"));
      assertThat(TestFilters.parser(classes).filter(message("user.Odd"))).isNotNull();
    }
  }

  private static FilterProtos.Filter message(String name) {
    return FilterProtos.Filter.newBuilder().setName(name).build();
  }

  private void filterJar(String jar, String name) throws IOException {
    jar(
        jar,
        name,
        """
        package user;
        public class %s extends org.apache.hadoop.hbase.filter.FilterBase {
          public static %s parseFrom(byte[] bytes) { return new %s(); }
          public byte[] toByteArray() { return new byte[0]; }
          public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) { return ReturnCode.INCLUDE; }
        }
        """);
  }

  private void comparatorJar(String jar, String name) throws IOException {
    jar(
        jar,
        name,
        """
        package user;
        public class %s extends org.apache.hadoop.hbase.filter.ByteArrayComparable {
          public %s() { super(new byte[0]); }
          public static %s parseFrom(byte[] bytes) { return new Same(); }
          public byte[] toByteArray() { return new byte[0]; }
          public int compareTo(byte[] value, int offset, int length) { return 0; }
        }
        """);
  }

  private void jar(String jar, String name, String source) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("classes-" + name));
    Path file = Files.writeString(folder.resolve(name + ".java"), source.replace("%s", name));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                OutputStream.nullOutputStream(),
                null,
                "-proc:none",
                "-cp",
                path(Filter.class) + ":" + path(org.apache.hadoop.hbase.Cell.class),
                "-d",
                folder.toString(),
                file.toString());
    assertThat(status).isZero();
    Files.createDirectories(jars);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jars.resolve(jar)));
        Stream<Path> classes = Files.list(folder.resolve("user"))) {
      for (Path built : classes.toList()) {
        out.putNextEntry(new JarEntry("user/" + built.getFileName()));
        Files.copy(built, out);
      }
    }
  }

  private static Path path(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
