package dev.cairn.tools.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.tools");

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noToolKnowsTheCommandLineOrThePartsOfAServer() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "picocli..",
            "dev.cairn.launcher..",
            "dev.cairn.shell..",
            "dev.cairn.testing..",
            "dev.cairn.server.master..",
            "dev.cairn.server.regionserver..",
            "dev.cairn.server.request..",
            "dev.cairn.server.coordination..",
            "dev.cairn.server.rpc..",
            "dev.cairn.server.http..",
            "dev.cairn.server.process..")
        .check(CLASSES);
  }
}
