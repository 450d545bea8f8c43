package dev.cairn.coprocessor.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.coprocessor.split.PolicyRegion;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFileHook.Candidate;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.quotas.RegionServerRpcQuotaManager;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScannerImpl;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.junit.jupiter.api.Test;

/**
 * Each method of HBase's classes is served, or throws by name. {@code facades/served.txt} lists
 * those that are served; to generate it: {@code mvn test -pl coprocessor -am
 * -Dtest=UnservedMethodsTest -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rewrite=true}.
 */
class UnservedMethodsTest {
  private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;
  private static final Path SERVED = Path.of("src/test/resources/facades/served.txt");

  private static final TableSchema TABLE =
      TableSchema.of(new TableName("default", "t"), FamilySchema.of("f"));
  private static final RegionInfo REGION =
      new RegionInfo(TABLE.name(), new byte[0], new byte[0], 1);

  /** An object of a facade, and the class of HBase that it stands for. */
  private record Pair(Object facade, Class<?> replaced) {
    /** Returns the methods that another class could call, without those of Object. */
    List<Method> methods() {
      return Stream.concat(
              Arrays.stream(replaced.getDeclaredMethods()),
              Arrays.stream(replaced.getMethods()).filter(Method::isDefault))
          .filter(method -> (method.getModifiers() & (Modifier.STATIC | Modifier.PRIVATE)) == 0)
          .filter(method -> !method.isBridge() && !has(Object.class, method))
          .toList();
    }

    /** Tells whether a class of Cairn overrides a method. */
    boolean serves(Method method) {
      return ofCairn().anyMatch(type -> has(type, method));
    }

    /** Tells whether a class of Cairn has a method that looks like an invisible one of HBase. */
    boolean hides(Method method) {
      return (method.getModifiers() & VISIBLE) == 0
          && ofCairn()
              .filter(type -> !type.getPackage().equals(replaced.getPackage()))
              .anyMatch(type -> has(type, method));
    }

    private Stream<Class<?>> ofCairn() {
      return Stream.iterate(
          facade.getClass().getSuperclass(), type -> type != replaced, Class::getSuperclass);
    }

    private static boolean has(Class<?> type, Method method) {
      return Arrays.stream(type.getDeclaredMethods())
          .anyMatch(
              own ->
                  own.getName().equals(method.getName())
                      && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }

    String name(Method method) {
      return replaced.getSimpleName() + "." + method.getName();
    }

    String line(Method method) {
      return Arrays.stream(method.getParameterTypes())
          .map(Class::getSimpleName)
          .collect(Collectors.joining(", ", name(method) + "(", ")"));
    }
  }

  private static List<Pair> pairs() throws IOException {
    RegionFacade region = Facades.region(REGION, TABLE);
    StoreFacade store = region.store(Bytes.utf8("f"));
    PolicyRegion policy = PolicyRegion.of(region.getRegionInfo(), region.getTableDescriptor());
    return List.of(
        new Pair(region, HRegion.class),
        new Pair(store, HStore.class),
        new Pair(store.file(new Candidate("a", 1, 1, false)), HStoreFile.class),
        new Pair(store.reader(), StoreFileReader.class),
        new Pair(
            ScannerFacade.of(
                region.getRegionInfo(),
                Clock.SYSTEM,
                new Scan(),
                null,
                Optional.empty(),
                new KeptScanners()),
            RegionScannerImpl.class),
        new Pair(policy, HRegion.class),
        new Pair(policy.getStores().get(0), HStore.class),
        new Pair(FreeQuotas.quotas(), RegionServerRpcQuotaManager.class));
  }

  @Test
  void methodsThatAreNotServedThrowByName() throws Exception {
    int thrown = 0;
    for (Pair pair : pairs()) {
      for (Method method : pair.methods()) {
        if (!pair.serves(method) && !isFinal(method)) {
          method.setAccessible(true);
          assertThatThrownBy(() -> method.invoke(pair.facade(), noArguments(method)))
              .as(pair.line(method))
              .isInstanceOf(InvocationTargetException.class)
              .cause()
              .isInstanceOf(UnsupportedOperationException.class)
              .hasMessage(pair.name(method) + " is not served by Cairn");
          thrown++;
        }
      }
    }
    assertThat(thrown).isGreaterThan(300);
  }

  @Test
  void theListHasTheServedMethods() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Pair pair : pairs()) {
      lines.add(pair.facade().getClass().getSuperclass().getSimpleName() + ":");
      pair.methods().stream().filter(pair::serves).map(pair::line).sorted().forEach(lines::add);
    }
    String list = String.join("\n", lines) + "\n";
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.createDirectories(SERVED.getParent());
      Files.writeString(SERVED, list);
    }
    assertThat(SERVED).hasContent(list);
  }

  /** They run as HBase's, and may find null fields. */
  @Test
  void finalMethodsAreKnown() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Pair pair : pairs()) {
      pair.methods().stream()
          .filter(UnservedMethodsTest::isFinal)
          .map(pair::line)
          .forEach(lines::add);
    }
    assertThat(lines).containsExactly("RegionScannerImpl.resetFilters()");
  }

  /** Such a method would not override HBase's, which is visible only in its package. */
  @Test
  void noFacadeHasAMethodWithTheNameOfAnInvisibleOne() throws IOException {
    for (Pair pair : pairs()) {
      assertThat(pair.methods()).noneMatch(pair::hides);
    }
  }

  private static boolean isFinal(Method method) {
    return Modifier.isFinal(method.getModifiers());
  }

  private static Object[] noArguments(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(type -> type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null)
        .toArray();
  }
}
