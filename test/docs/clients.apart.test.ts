import { testClients } from "./setup/clients.ts";

testClients([
  { file: "python.py", words: ["python3"], tool: "python3" },
  { file: "go.go", words: ["go", "run"], tool: "go" },
  { file: "Java.java", words: ["java"], tool: "java" },
  { file: "ruby.rb", words: ["ruby"], tool: "ruby" },
  { file: "php.php", words: ["php"], tool: "php" },
]);
