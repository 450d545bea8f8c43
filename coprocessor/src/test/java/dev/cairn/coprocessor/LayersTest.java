package dev.cairn.coprocessor;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private static final String ROOT = "dev.cairn.coprocessor";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void importsRunDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("provider")
        .definedBy(ROOT)
        .layer("region")
        .definedBy(ROOT + ".region")
        .layer("master")
        .definedBy(ROOT + ".master")
        .layer("endpoint")
        .definedBy(ROOT + ".endpoint")
        .layer("write")
        .definedBy(ROOT + ".write")
        .layer("read")
        .definedBy(ROOT + ".read")
        .layer("convert")
        .definedBy(ROOT + ".convert")
        .layer("rewrite")
        .definedBy(ROOT + ".rewrite")
        .layer("split")
        .definedBy(ROOT + ".split")
        .layer("facade")
        .definedBy(ROOT + ".facade")
        .layer("environment")
        .definedBy(ROOT + ".environment")
        .layer("server")
        .definedBy(ROOT + ".server")
        .layer("log")
        .definedBy(ROOT + ".log")
        .layer("load")
        .definedBy(ROOT + ".load")
        .layer("measure")
        .definedBy(ROOT + ".measure")
        .layer("metrics")
        .definedBy(ROOT + ".metrics")
        .whereLayer("provider")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("region")
        .mayOnlyBeAccessedByLayers("provider")
        .whereLayer("server")
        .mayOnlyBeAccessedByLayers("provider")
        .whereLayer("master")
        .mayOnlyBeAccessedByLayers("provider")
        .whereLayer("master")
        .mayOnlyAccessLayers("facade", "convert", "environment", "load", "endpoint")
        .whereLayer("endpoint")
        .mayOnlyAccessLayers("measure")
        .whereLayer("write")
        .mayOnlyAccessLayers("convert", "facade", "environment", "log", "measure")
        .whereLayer("log")
        .mayOnlyAccessLayers("convert", "facade")
        .whereLayer("facade")
        .mayOnlyAccessLayers("environment", "convert", "measure")
        .whereLayer("read")
        .mayOnlyAccessLayers("facade", "convert", "environment", "measure")
        .whereLayer("convert")
        .mayNotAccessAnyLayer()
        .whereLayer("rewrite")
        .mayOnlyAccessLayers("facade", "convert", "measure")
        .whereLayer("split")
        .mayOnlyAccessLayers("facade", "environment")
        .whereLayer("environment")
        .mayOnlyAccessLayers("measure")
        .whereLayer("measure")
        .mayNotAccessAnyLayer()
        .whereLayer("load")
        .mayNotAccessAnyLayer()
        .whereLayer("metrics")
        .mayNotAccessAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(CLASSES);
  }

  @Test
  void noCirclesBetweenPackages() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theModuleKnowsTheServersSeamAndNoMasterOrProcess() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(
                    "dev.cairn.server.master..",
                    "dev.cairn.server.process..",
                    "dev.cairn.testing..")
                .and(
                    DescribedPredicate.not(
                        JavaClass.Predicates.resideInAPackage("dev.cairn.server.master.hook"))))
        .check(CLASSES);
  }
}
