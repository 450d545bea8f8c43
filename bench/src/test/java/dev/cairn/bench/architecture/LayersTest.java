package dev.cairn.bench.architecture;

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
          .importPackages("dev.cairn.bench");

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void measurementsKnowOnlyTheServerTheEngineKeysAndStudies() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.cairn..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.cairn.keys..",
                            "dev.cairn.studies..",
                            "dev.cairn.engine..",
                            "dev.cairn.server..",
                            "dev.cairn.bench.."))))
        .check(classes);
  }
}
