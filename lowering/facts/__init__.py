"""What is known of integers: promises that are proved, coordinates in fewer bits."""
