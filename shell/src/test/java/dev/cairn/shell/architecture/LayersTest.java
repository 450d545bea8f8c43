package dev.cairn.shell.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports run downwards: console, command → run → (language, output) → value. */
class LayersTest {
  private static final String SHELL = "dev.cairn.shell.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.shell");

  @Test
  void importsRunDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("shell")
        .definedBy("dev.cairn.shell")
        .layer("console")
        .definedBy(SHELL + "console..")
        .layer("command")
        .definedBy(SHELL + "command..")
        .layer("run")
        .definedBy(SHELL + "run..")
        .layer("language")
        .definedBy(SHELL + "language..")
        .layer("output")
        .definedBy(SHELL + "output..")
        .layer("split")
        .definedBy(SHELL + "split..")
        .layer("value")
        .definedBy(SHELL + "value..")
        .whereLayer("shell")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("console")
        .mayOnlyBeAccessedByLayers("shell")
        .whereLayer("command")
        .mayOnlyBeAccessedByLayers("shell")
        .whereLayer("run")
        .mayOnlyBeAccessedByLayers("shell", "console", "command")
        .whereLayer("language")
        .mayOnlyBeAccessedByLayers("shell", "console", "run")
        .whereLayer("output")
        .mayOnlyBeAccessedByLayers("shell", "console", "command", "run")
        .whereLayer("split")
        .mayOnlyBeAccessedByLayers("command")
        .check(CLASSES);
  }

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.shell.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theShellIsAClient() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.cairn.engine..",
            "dev.cairn.server.master..",
            "dev.cairn.server.regionserver..",
            "dev.cairn.server.rpc..",
            "dev.cairn.server.process..",
            "dev.cairn.testing..")
        .check(CLASSES);
  }
}
