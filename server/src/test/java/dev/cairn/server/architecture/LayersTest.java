package dev.cairn.server.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.sun.management.OperatingSystemMXBean;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private static final String SERVER = "dev.cairn.server.";

  private static final ImportOption NO_TESTS = ImportOption.Predefined.DO_NOT_INCLUDE_TESTS;

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(NO_TESTS).importPackages("dev.cairn.server");

  /** The rooms of the master, each with the rooms that it may import. */
  private static final Map<String, List<String>> MASTER_ROOMS =
      Map.ofEntries(
          Map.entry("loop", List.of()),
          Map.entry("hook", List.of()),
          Map.entry("store", List.of()),
          Map.entry("remote", List.of()),
          Map.entry("cleaner", List.of()),
          Map.entry("meta", List.of("loop")),
          Map.entry("placement", List.of()),
          Map.entry("assignment", List.of("loop", "meta", "placement", "remote")),
          Map.entry("draining", List.of("assignment", "loop", "placement", "remote", "store")),
          Map.entry(
              "balancer",
              List.of("assignment", "chore", "hook", "loop", "placement", "remote", "table")),
          Map.entry("table", List.of("loop", "meta")),
          Map.entry("recovery", List.of("loop", "remote")),
          Map.entry("members", List.of("assignment", "loop", "recovery", "remote", "store")),
          Map.entry("namespace", List.of("assignment", "loop")),
          Map.entry("quota", List.of("assignment", "loop", "namespace", "table")),
          Map.entry(
              "group", List.of("assignment", "loop", "namespace", "placement", "remote", "table")),
          Map.entry("procedure", List.of("hook", "loop", "store", "table")),
          Map.entry(
              "ddl",
              List.of(
                  "assignment",
                  "group",
                  "loop",
                  "meta",
                  "namespace",
                  "procedure",
                  "quota",
                  "remote",
                  "store",
                  "table")),
          Map.entry(
              "normalizer",
              List.of(
                  "assignment", "chore", "ddl", "hook", "loop", "procedure", "remote", "table")),
          Map.entry("chore", List.of("assignment", "loop", "meta", "remote", "store", "table")),
          Map.entry(
              "healing",
              List.of(
                  "assignment", "ddl", "loop", "meta", "procedure", "remote", "store", "table")));

  @Test
  void importsRunDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("process")
        .definedBy(SERVER + "process..")
        .layer("hook")
        .definedBy(SERVER + "hook..")
        .layer("regionserver")
        .definedBy(SERVER + "regionserver..")
        .layer("request")
        .definedBy(SERVER + "request..")
        .layer("explain")
        .definedBy(SERVER + "explain..")
        .layer("digest")
        .definedBy(SERVER + "digest..")
        .layer("exchange")
        .definedBy(SERVER + "exchange..")
        .layer("verify")
        .definedBy(SERVER + "verify..")
        .layer("master")
        .definedBy(SERVER + "master..")
        .layer("http")
        .definedBy(SERVER + "http..")
        .layer("log")
        .definedBy(SERVER + "log..")
        .layer("page")
        .definedBy(SERVER + "page..")
        .layer("health")
        .definedBy(SERVER + "health..")
        .layer("coordination")
        .definedBy(SERVER + "coordination..")
        .layer("catalog")
        .definedBy(SERVER + "catalog..")
        .layer("filter")
        .definedBy(SERVER + "filter..")
        .layer("quota")
        .definedBy(SERVER + "quota..")
        .layer("advise")
        .definedBy(SERVER + "advise..")
        .layer("traffic")
        .definedBy(SERVER + "traffic..")
        .layer("loadsplit")
        .definedBy(SERVER + "loadsplit..")
        .layer("rpc")
        .definedBy(SERVER + "rpc..")
        .layer("slowlog")
        .definedBy(SERVER + "slowlog..")
        .layer("tracing")
        .definedBy(SERVER + "tracing..")
        .layer("metrics")
        .definedBy(SERVER + "metrics..")
        .layer("config")
        .definedBy(SERVER + "config..")
        .layer("snapshot")
        .definedBy(SERVER + "snapshot..")
        .layer("walsplit")
        .definedBy(SERVER + "walsplit..")
        .layer("bulkload")
        .definedBy(SERVER + "bulkload..")
        .layer("hadoop")
        .definedBy(SERVER + "hadoop..")
        .whereLayer("process")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("hook")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("regionserver")
        .mayOnlyBeAccessedByLayers("process", "hook")
        .whereLayer("request")
        .mayOnlyBeAccessedByLayers("regionserver")
        .whereLayer("explain")
        .mayOnlyBeAccessedByLayers("regionserver", "request")
        .whereLayer("digest")
        .mayOnlyBeAccessedByLayers("regionserver", "request")
        .whereLayer("exchange")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("verify")
        .mayOnlyBeAccessedByLayers("exchange")
        .whereLayer("master")
        .mayOnlyBeAccessedByLayers("process", "exchange", "hook")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("log")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("page")
        .mayOnlyBeAccessedByLayers(
            "process", "http", "regionserver", "master", "traffic", "advise", "log")
        .whereLayer("health")
        .mayOnlyBeAccessedByLayers("process", "http")
        .whereLayer("coordination")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers(
            "process",
            "hook",
            "regionserver",
            "master",
            "walsplit",
            "coordination",
            "exchange",
            "verify",
            "snapshot")
        .whereLayer("filter")
        .mayOnlyBeAccessedByLayers("process", "hook", "regionserver", "master", "request")
        .whereLayer("quota")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master", "catalog")
        .whereLayer("advise")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("traffic")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "advise")
        .whereLayer("loadsplit")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master", "traffic", "advise")
        .whereLayer("rpc")
        .mayOnlyBeAccessedByLayers(
            "process", "hook", "regionserver", "request", "master", "coordination")
        .whereLayer("metrics")
        .mayOnlyBeAccessedByLayers("process", "http", "hook", "regionserver", "master", "rpc")
        .whereLayer("slowlog")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "rpc", "tracing")
        .whereLayer("tracing")
        .mayOnlyBeAccessedByLayers("process", "rpc")
        .whereLayer("snapshot")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master")
        .whereLayer("walsplit")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master")
        .whereLayer("bulkload")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "hadoop")
        .whereLayer("hadoop")
        .mayOnlyBeAccessedByLayers("process")
        .check(CLASSES);
  }

  @Test
  void importsRunDownwardsWithinTheMaster() {
    String master = SERVER + "master";
    Architectures.LayeredArchitecture rooms =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("master")
            .definedBy(master)
            .layer("service")
            .definedBy(master + ".service")
            .layer("page")
            .definedBy(master + ".page");
    for (String room : MASTER_ROOMS.keySet()) {
      rooms = rooms.layer(room).definedBy(master + "." + room);
    }
    for (Map.Entry<String, List<String>> room : MASTER_ROOMS.entrySet()) {
      rooms =
          room.getValue().isEmpty()
              ? rooms.whereLayer(room.getKey()).mayNotAccessAnyLayer()
              : rooms
                  .whereLayer(room.getKey())
                  .mayOnlyAccessLayers(room.getValue().toArray(String[]::new));
    }
    rooms
        .whereLayer("service")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("page")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("cleaner")
        .mayNotBeAccessedByAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(new ClassFileImporter().withImportOption(NO_TESTS).importPackages(master));
  }

  @Test
  void importsRunDownwardsWithinTheRegionServer() {
    String regionServer = SERVER + "regionserver";
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("regionserver")
        .definedBy(regionServer)
        .layer("page")
        .definedBy(regionServer + ".page")
        .layer("admin")
        .definedBy(regionServer + ".admin")
        .layer("report")
        .definedBy(regionServer + ".report")
        .layer("quota")
        .definedBy(regionServer + ".quota")
        .layer("logs")
        .definedBy(regionServer + ".logs")
        .layer("assignment")
        .definedBy(regionServer + ".assignment")
        .layer("client")
        .definedBy(regionServer + ".client")
        .layer("maintenance")
        .definedBy(regionServer + ".maintenance")
        .layer("membership")
        .definedBy(regionServer + ".membership")
        .layer("replica")
        .definedBy(regionServer + ".replica")
        .layer("reference")
        .definedBy(regionServer + ".reference")
        .layer("hosted")
        .definedBy(regionServer + ".hosted")
        .layer("hooked")
        .definedBy(regionServer + ".hooked")
        .whereLayer("page")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("admin")
        .mayOnlyBeAccessedByLayers("regionserver")
        .whereLayer("report")
        .mayOnlyBeAccessedByLayers("regionserver", "admin", "page")
        .whereLayer("quota")
        .mayOnlyBeAccessedByLayers("regionserver")
        .whereLayer("hooked")
        .mayNotAccessAnyLayer()
        .whereLayer("hosted")
        .mayOnlyAccessLayers("hooked")
        .whereLayer("membership")
        .mayNotAccessAnyLayer()
        .whereLayer("maintenance")
        .mayOnlyAccessLayers("hooked", "hosted", "membership")
        .whereLayer("client")
        .mayOnlyAccessLayers("hooked", "hosted")
        .whereLayer("replica")
        .mayOnlyAccessLayers("hosted")
        .whereLayer("reference")
        .mayOnlyAccessLayers("hosted")
        .whereLayer("assignment")
        .mayOnlyAccessLayers("client", "hooked", "hosted", "maintenance", "membership")
        .whereLayer("logs")
        .mayOnlyAccessLayers("hosted", "maintenance", "membership")
        .ensureAllClassesAreContainedInArchitecture()
        .check(new ClassFileImporter().withImportOption(NO_TESTS).importPackages(regionServer));
  }

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.server.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theServerKnowsOnlyTheEngineAndFormatsOfKeysOfTheOtherRooms() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.cairn..")
                .and(
                    com.tngtech.archunit.base.DescribedPredicate.not(
                        resideInAnyPackage(
                            "dev.cairn.keys", "dev.cairn.engine..", "dev.cairn.server.."))))
        .check(CLASSES);
  }

  @Test
  void clockAndThreadsComeInByTheConstructor() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage(SERVER + "process..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .accessField(Clock.class, "SYSTEM")
        .orShould()
        .callConstructorWhere(
            com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                    com.tngtech.archunit.core.domain.JavaClass.Predicates.type(Thread.class))))
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executors.class)
        .check(CLASSES);
  }

  @Test
  void aSimulatedServerCanRepeatARun() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage(SERVER + "process..")
        .and()
        .doNotHaveFullyQualifiedName(LoadMeter.class.getName())
        .should()
        .callMethod(ThreadLocalRandom.class, "current")
        .orShould()
        .callMethod(ThreadMXBean.class, "getCurrentThreadCpuTime")
        .orShould()
        .callMethod(OperatingSystemMXBean.class, "getProcessCpuTime")
        .check(CLASSES);
  }
}
