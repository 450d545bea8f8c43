package dev.cairn.engine.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.engine");

  @Test
  void importsRunDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("region")
        .definedBy("dev.cairn.engine.region..")
        .layer("store")
        .definedBy("dev.cairn.engine.store..")
        .layer("mob")
        .definedBy("dev.cairn.engine.mob..")
        .layer("memstore")
        .definedBy("dev.cairn.engine.memstore..")
        .layer("hfile")
        .definedBy("dev.cairn.engine.hfile..")
        .layer("wal")
        .definedBy("dev.cairn.engine.wal..")
        .layer("changes")
        .definedBy("dev.cairn.engine.changes..")
        .layer("explain")
        .definedBy("dev.cairn.engine.explain..")
        .layer("scan")
        .definedBy("dev.cairn.engine.scan..")
        .layer("tracking")
        .definedBy("dev.cairn.engine.tracking..")
        .layer("layout")
        .definedBy("dev.cairn.engine.layout..")
        .layer("storage")
        .definedBy("dev.cairn.engine.storage..")
        .layer("constraint")
        .definedBy("dev.cairn.engine.constraint..")
        .layer("schema")
        .definedBy("dev.cairn.engine.schema..")
        .layer("cursor")
        .definedBy("dev.cairn.engine.cursor..")
        .layer("cell")
        .definedBy("dev.cairn.engine.cell..")
        .whereLayer("region")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("region")
        .whereLayer("memstore")
        .mayOnlyBeAccessedByLayers("store", "region")
        .whereLayer("mob")
        .mayOnlyBeAccessedByLayers("store", "region")
        .whereLayer("hfile")
        .mayOnlyBeAccessedByLayers("mob", "store", "region")
        .whereLayer("wal")
        .mayOnlyBeAccessedByLayers("changes", "region")
        .whereLayer("changes")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("tracking")
        .mayOnlyBeAccessedByLayers("store", "region")
        .whereLayer("layout")
        .mayOnlyBeAccessedByLayers("changes", "tracking", "mob", "store", "region")
        .whereLayer("constraint")
        .mayOnlyBeAccessedByLayers("schema", "store", "region")
        .whereLayer("explain")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("scan")
        .mayOnlyBeAccessedByLayers("explain", "mob", "store", "region")
        .check(CLASSES);
  }

  @Test
  void partsOfStoreFilesImportDownwards() {
    checkParts(
        "dev.cairn.engine.hfile",
        Map.of(
            "format", Set.of(),
            "codec", Set.of("format"),
            "block", Set.of("codec", "format"),
            "encoding", Set.of("block", "format"),
            "cache", Set.of("block", "format"),
            "bloom", Set.of("block", "format"),
            "writer", Set.of("bloom", "cache", "encoding", "block", "codec", "format"),
            "reader", Set.of("bloom", "cache", "encoding", "block", "codec", "format"),
            "inspect", Set.of("reader", "cache", "block", "codec", "format")));
  }

  @Test
  void partsOfScansImportDownwards() {
    checkParts(
        "dev.cairn.engine.scan",
        Map.of(
            "condition", Set.of(),
            "", Set.of("condition"),
            "merge", Set.of(),
            "match", Set.of(""),
            "retention", Set.of("match", ""),
            "row", Set.of("match", "merge", "")));
  }

  @Test
  void partsOfTheLogImportDownwards() {
    checkParts(
        "dev.cairn.engine.wal",
        Map.of("file", Set.of(), "", Set.of("file"), "split", Set.of("", "file")));
  }

  @Test
  void partsOfRegionsImportDownwards() {
    checkParts(
        "dev.cairn.engine.region",
        Map.of(
            "state", Set.of(),
            "bulkload", Set.of(),
            "feed", Set.of("state"),
            "read", Set.of("state"),
            "write", Set.of("feed", "read", "state"),
            "steps", Set.of("state", "write"),
            "flush", Set.of("feed", "read", "state"),
            "follow", Set.of("feed", "state", "write"),
            "", Set.of("bulkload", "feed", "flush", "follow", "read", "state", "steps", "write"),
            "lifecycle", Set.of("", "bulkload", "state")));
  }

  /**
   * Checks that {@code parent} consists of exactly these packages, and that each imports only the
   * given ones of them. The empty name means {@code parent} itself.
   */
  private static void checkParts(String parent, Map<String, Set<String>> imports) {
    assertThat(CLASSES.stream())
        .filteredOn(type -> !type.getSimpleName().equals("package-info"))
        .extracting(JavaClass::getPackageName)
        .filteredOn(name -> name.equals(parent) || name.startsWith(parent + "."))
        .containsOnly(names(parent, imports.keySet()));
    imports.forEach(
        (part, below) ->
            ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(name(parent, part))
                .should()
                .onlyDependOnClassesThat(
                    resideOutsideOfPackage(parent + "..")
                        .or(resideInAPackage(name(parent, part)))
                        .or(resideInAnyPackage(names(parent, below))))
                .check(CLASSES));
  }

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.engine.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void cellsKnowNothingOfTheRest() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.cairn.engine.cell..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.engine.cell..", "dev.cairn.engine.probe")
        .check(CLASSES);
  }

  @Test
  void conditionsKnowOnlyCells() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.cairn.engine.scan.condition")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.engine.cell", "dev.cairn.engine.scan.condition")
        .check(CLASSES);
  }

  @Test
  void theMarksForTheCompilersKnowNothingOfTheRest() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.cairn.engine.compile")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.engine.compile")
        .check(CLASSES);
  }

  @Test
  void theProbesOfTestsKnowNothingOfTheRest() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.cairn.engine.probe")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.engine.probe")
        .check(CLASSES);
  }

  @Test
  void theMemoryAccountKnowsOnlyTheClock() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.cairn.engine.memory")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.engine.memory", "dev.cairn.engine.time")
        .check(CLASSES);
  }

  @Test
  void theEngineKnowsNeitherHadoopNorANetwork() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.hadoop.conf..",
            "org.apache.hadoop.fs..",
            "org.apache.hadoop.hbase.client..",
            "io.netty..",
            "java.net..",
            "org.apache.zookeeper..")
        .check(CLASSES);
  }

  private static String[] names(String parent, Set<String> parts) {
    return parts.stream().map(part -> name(parent, part)).toArray(String[]::new);
  }

  private static String name(String parent, String part) {
    return part.isEmpty() ? parent : parent + "." + part;
  }
}
