package dev.cairn.torture.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.torture");

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void onlyTheClusterKnowsMoreThanTheEngineDigestsAndFiltersOfTheOtherRooms() {
    ArchRuleDefinition.noClasses()
        .that(not(resideInAnyPackage("dev.cairn.torture.cluster..")))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.cairn..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.cairn.engine..",
                            "dev.cairn.server.digest..",
                            "dev.cairn.server.filter..",
                            "dev.cairn.torture.."))))
        .check(classes);
  }

  @Test
  void theSchedulerKnowsOnlyTheClock() {
    ArchRuleDefinition.noClasses()
        .that(resideInAnyPackage("dev.cairn.torture.scheduler.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.cairn..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.cairn.engine.time..", "dev.cairn.torture.scheduler.."))))
        .check(classes);
  }

  @Test
  void theReferenceModelKnowsNothingOfTheSimulatedMachine() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.cairn.torture.model..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.cairn.torture.simulation..")
        .check(classes);
  }
}
