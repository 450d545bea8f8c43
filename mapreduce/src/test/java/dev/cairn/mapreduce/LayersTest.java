package dev.cairn.mapreduce;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  @Test
  void jobsAreClientsAndKnowNothingOfTheServers() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.cairn.server.master..",
            "dev.cairn.server.regionserver..",
            "dev.cairn.server.process..",
            "dev.cairn.engine..",
            "dev.cairn.testing..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.cairn.mapreduce"));
  }
}
