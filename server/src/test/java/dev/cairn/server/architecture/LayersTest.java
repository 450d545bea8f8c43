package dev.cairn.server.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.cairn.engine.time.Clock;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private static final String SERVER = "dev.cairn.server.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.server");

  @Test
  void importsRunDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("process")
        .definedBy(SERVER + "process..")
        .layer("regionserver")
        .definedBy(SERVER + "regionserver..")
        .layer("request")
        .definedBy(SERVER + "request..")
        .layer("explain")
        .definedBy(SERVER + "explain..")
        .layer("exchange")
        .definedBy(SERVER + "exchange..")
        .layer("verify")
        .definedBy(SERVER + "verify..")
        .layer("master")
        .definedBy(SERVER + "master..")
        .layer("http")
        .definedBy(SERVER + "http..")
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
        .layer("rpc")
        .definedBy(SERVER + "rpc..")
        .layer("config")
        .definedBy(SERVER + "config..")
        .layer("hadoop")
        .definedBy(SERVER + "hadoop..")
        .whereLayer("process")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("regionserver")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("request")
        .mayOnlyBeAccessedByLayers("regionserver")
        .whereLayer("explain")
        .mayOnlyBeAccessedByLayers("regionserver", "request")
        .whereLayer("exchange")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("verify")
        .mayOnlyBeAccessedByLayers("exchange")
        .whereLayer("master")
        .mayOnlyBeAccessedByLayers("process", "exchange")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("process")
        .whereLayer("health")
        .mayOnlyBeAccessedByLayers("process", "http")
        .whereLayer("coordination")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers(
            "process", "regionserver", "master", "coordination", "exchange", "verify")
        .whereLayer("filter")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master", "request")
        .whereLayer("quota")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "master", "catalog")
        .whereLayer("rpc")
        .mayOnlyBeAccessedByLayers("process", "regionserver", "request", "master", "coordination")
        .whereLayer("hadoop")
        .mayNotBeAccessedByAnyLayer()
        .check(CLASSES);
  }

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.server.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theServerKnowsOnlyTheEngineOfTheOtherRooms() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.cairn..")
                .and(
                    com.tngtech.archunit.base.DescribedPredicate.not(
                        resideInAnyPackage("dev.cairn.engine..", "dev.cairn.server.."))))
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
}
